import { isDone, type KeyWorkBounds, type Task, type Work } from '@ti/service/access/accounts/key-work.ts'
import { LIMITS } from '@ti/service/config/limits.ts'

/** Work that takes a test no time; everything else as it is served. */
export const EASY_WORK: KeyWorkBounds = { ...LIMITS, keyWorkBits: 3 }

/** Does what a task asks for, by trying. */
export function solve({ nonce, parts, bits }: Pick<Task, 'nonce' | 'parts' | 'bits'>): Work {
  const counters = Array.from({ length: parts }, (_, part) => {
    let counter = 0
    while (!isDone(nonce, part, counter, bits)) counter++
    return counter
  })
  return { nonce, counters }
}
