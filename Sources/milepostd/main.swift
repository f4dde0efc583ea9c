import Glibc
import MilepostDaemon
import Options
import SystemdKit

EventLoop.blockSignals(Daemon.signals)
exit(DaemonCommand.run(Array(CommandLine.arguments.dropFirst())))
