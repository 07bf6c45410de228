/** A map of what holds until the next log entry, because every age and rank may move with a block. With `max` values it begins anew. */
export function createFresh<Key, Value>(
  newest: () => { readonly seq: number },
  max = Number.POSITIVE_INFINITY,
): () => Map<Key, Value> {
  const kept = new Map<Key, Value>()
  let keptSeq = -2
  return () => {
    const { seq } = newest()
    if (keptSeq !== seq || kept.size >= max) kept.clear()
    keptSeq = seq
    return kept
  }
}
