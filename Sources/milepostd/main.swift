import Glibc
import MilepostDaemon
import Options
import SystemdKit

Heap.keepFreed()
EventLoop.blockSignals(Daemon.signals)
exit(DaemonCommand.run(Array(CommandLine.arguments.dropFirst())))
