/** Results in the order of `list`, `most` of them under way. Ends all it began before it ends. */
export async function* ahead<A, B>(
  list: Iterable<A>,
  most: number,
  start: (a: A) => Promise<B>,
): AsyncGenerator<readonly [A, B]> {
  const under: { a: A; b: Promise<B> }[] = []
  const rest = list[Symbol.iterator]()
  try {
    while (true) {
      while (under.length < most) {
        const { done, value } = rest.next()
        if (done === true) break
        const b = start(value)
        // a failure is met where it is awaited
        b.catch(() => {})
        under.push({ a: value, b })
      }
      const head = under.shift()
      if (head === undefined) return
      yield [head.a, await head.b]
    }
  } finally {
    await Promise.allSettled(under.map(({ b }) => b))
  }
}
