import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from '../../base/log.ts'

/** The x402 packages write failures to the console. Inside `quietly` they go to the logger, without what was paid with. */
const quiet = new AsyncLocalStorage<Logger>()
let installed = false

export function quietly<T>(logger: Logger, run: () => Promise<T>): Promise<T> {
  install()
  return quiet.run(logger, run)
}

/** Replaced once; calls from anywhere else go where they always went. */
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

/** Fixed texts as they are, errors by name alone: their messages may repeat a transaction. */
function shown(value: unknown): string {
  if (value instanceof Error) return value.name
  return typeof value === 'string' ? value.slice(0, 100) : typeof value
}
