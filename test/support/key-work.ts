import { KEY_PLACES } from '@ti/service/access/accounts/key-places.ts'
import { isDone, KEY_WORK, type KeyWorkBounds, type Task, type Work } from '@ti/service/access/accounts/key-work.ts'

/** Work that takes a test no time; everything else as it is served. */
export const EASY_WORK: KeyWorkBounds = { ...KEY_PLACES, ...KEY_WORK, bits: 3 }

/** Does what a task asks for, by trying. */
export function solve({ nonce, parts, bits }: Pick<Task, 'nonce' | 'parts' | 'bits'>): Work {
  const counters = Array.from({ length: parts }, (_, part) => {
    let counter = 0
    while (!isDone(nonce, part, counter, bits)) counter++
    return counter
  })
  return { nonce, counters }
}
