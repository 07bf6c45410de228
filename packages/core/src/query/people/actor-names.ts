import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ActorReader, nameOf } from '../actors.ts'

/** Finds actors by their stable names. These are hashes, so each actor's is computed once. */
interface ActorNames {
  /** The actor's number, or null if there is none with this name. A promise while names are being computed. */
  find(id: string): number | null | Promise<number | null>
}

/** actors per turn of the event loop, some 5 ms */
const PIECE = 100

/** `max`: the number of newest names kept. */
export function createActorNames(reader: ActorReader, max: number): ActorNames {
  const numbers = new Map<string, number>()
  let next = 0
  let running: Promise<void> | null = null

  const isBehind = (): boolean => next < (reader.globals()?.nextActor ?? 0)

  function piece(): void {
    const end = Math.min(next + PIECE, reader.globals()?.nextActor ?? 0)
    for (; next < end; next++) {
      numbers.set(nameOf(reader, reader.actor(next)!).id, next)
      if (numbers.size > max) numbers.delete(numbers.keys().next().value!)
    }
  }

  async function catchUp(): Promise<void> {
    while (isBehind()) {
      piece()
      await nextTurn()
    }
  }

  return {
    find(id) {
      if (running === null) piece()
      if (running === null && !isBehind()) return numbers.get(id) ?? null
      running ??= catchUp().finally(() => {
        running = null
      })
      return running.then(() => numbers.get(id) ?? null)
    },
  }
}
