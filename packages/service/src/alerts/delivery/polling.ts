import { setTimeout as pause } from 'node:timers/promises'
import type { Bot } from './bot.ts'
import { BOT_PAUSE_MS } from './telegram.ts'
import { DELIVERY_WORK } from './worker.ts'

/**
 * Asks Telegram for updates while this node holds the lease.
 * `holds` tells whether this node delivers. Two nodes polling at once would take each other's updates.
 */
export function startPolling(bot: Bot, holds: () => boolean) {
  const closing = new AbortController()
  let botName: string | null = null
  let poll: AbortController | null = null
  const watching = setInterval(() => {
    if (!holds()) poll?.abort()
  }, DELIVERY_WORK.lookMs)
  watching.unref()

  async function once(): Promise<boolean> {
    botName ??= await bot.name()
    if (botName === null || !holds()) return false
    poll = new AbortController()
    return bot.poll(AbortSignal.any([closing.signal, poll.signal]))
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const took = await once().catch(() => false)
      const restMs = botName === null ? BOT_PAUSE_MS : DELIVERY_WORK.lookMs
      if (!took) await pause(restMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const running = run()
  return {
    botName: (): string | null => botName,
    async close(): Promise<void> {
      closing.abort()
      clearInterval(watching)
      await running
      await bot.settled()
    },
  }
}
