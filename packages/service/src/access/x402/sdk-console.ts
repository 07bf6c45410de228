import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from '../../base/log.ts'

/** The x402 packages print failures to the console. Inside `quietly` they go to the logger, without payment data. */
const quiet = new AsyncLocalStorage<Logger>()
let installed = false

export function quietly<T>(logger: Logger, run: () => Promise<T>): Promise<T> {
  install()
  return quiet.run(logger, run)
}

/** Patches the console once; other callers are unaffected. */
function install(): void {
  if (installed) return
  installed = true
  for (const level of ['log', 'warn', 'error'] as const) {
    const before = console[level].bind(console)
    console[level] = (...given: unknown[]) => {
      const logger = quiet.getStore()
      if (logger === undefined) before(...given)
      else logger.debug({ sdk: given.map(shown).join(' ') }, 'the x402 package says')
    }
  }
}

/** Shows fixed texts, but errors only by name, because their messages may contain a transaction. */
function shown(value: unknown): string {
  if (value instanceof Error) return value.name
  return typeof value === 'string' ? value.slice(0, 100) : typeof value
}
