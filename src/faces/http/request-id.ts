import { randomFillSync } from 'node:crypto'

/** Random bytes are drawn by the page: one id costs a slice, not a system call. */
const PAGE_BYTES = 12 * 512

/** Ids like `req_` + 16 characters: 96 random bits, so an id tells nothing about other requests. */
export function createRequestIds(): () => string {
  const page = Buffer.alloc(PAGE_BYTES)
  let next = PAGE_BYTES
  return () => {
    if (next === PAGE_BYTES) {
      randomFillSync(page)
      next = 0
    }
    next += 12
    return `req_${page.toString('base64url', next - 12, next)}`
  }
}
