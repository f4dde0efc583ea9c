/// The fixed ids of journal entries that the catalog explains. Each state of a source has its own:
/// ``SourceState/messageID``.
package enum MessageID {
  package static let enter = "a59a8d8da58c48fe817a9b9a16c2f042"
  package static let exit = "4a9f079314a743cf8306280cd1d1aee7"
  /// All counters, on SIGUSR1 and at the stop.
  package static let counters = "2ed4e285a72547ecb52edb46d012c9c4"
  package static let reloaded = "7860ed5abf724571b3e29595f9234807"
  package static let reloadFailed = "96e1cfcfb6c446e9bde7cad4bd567ce7"
  package static let noMileposts = "848fba30877140e9b87c8769e60cf576"
  /// What happened to the event store.
  package static let store = "35c69bc912dc4dd2b42a815a3d434b01"
}
