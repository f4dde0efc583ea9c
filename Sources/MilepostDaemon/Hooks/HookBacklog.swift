/// First in, first out; taking the first is O(1) in the long run.
struct HookBacklog<Element> {
  private var elements: [Element?] = []
  private var start = 0

  var count: Int { elements.count - start }
  var isEmpty: Bool { count == 0 }
  var first: Element? { start < elements.count ? elements[start] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard start < elements.count else { return nil }
    let element = elements[start]
    elements[start] = nil
    start += 1
    if start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }

  mutating func removeAll() {
    elements = []
    start = 0
  }
}
