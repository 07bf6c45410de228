/** Batches questions that arrive within some milliseconds of the first. */
type Batched<Q, A> = (question: Q) => Promise<A>

interface BatchedOptions<Q, A> {
  /** milliseconds to wait for more questions */
  readonly ms: number
  /** answers in the order of the questions; an exception fails all of them */
  readonly ask: (questions: readonly Q[]) => Promise<readonly A[]>
}

interface Waiting<Q, A> {
  readonly question: Q
  done(answer: A): void
  fail(error: unknown): void
}

export function createBatched<Q, A>({ ms, ask }: BatchedOptions<Q, A>): Batched<Q, A> {
  let waiting: Waiting<Q, A>[] = []

  async function round(): Promise<void> {
    const all = waiting
    waiting = []
    try {
      const answers = await ask(all.map(({ question }) => question))
      for (const [i, { done }] of all.entries()) done(answers[i]!)
    } catch (error) {
      for (const { fail } of all) fail(error)
    }
  }

  return (question) =>
    new Promise((done, fail) => {
      if (waiting.length === 0) setTimeout(() => void round(), ms)
      waiting.push({ question, done, fail })
    })
}
