import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './log.ts'

function collecting(level: 'info' | 'silent') {
  const lines: string[] = []
  return { lines, logger: createLogger(level, { write: (line: string) => void lines.push(line) }) }
}

test('lines are JSON with a readable level and time; lower levels are dropped', () => {
  const { lines, logger } = collecting('info')
  logger.debug('no')
  logger.info({ slot: 5 }, 'folded')
  assert.equal(lines.length, 1)
  const line = JSON.parse(lines[0]!) as Record<string, unknown>
  assert.equal(line.level, 'info')
  assert.equal(line.slot, 5)
  assert.equal(line.msg, 'folded')
  assert.ok(!Number.isNaN(Date.parse(String(line.time))))
})

test('an authorization header never reaches the log', () => {
  const { lines, logger } = collecting('info')
  logger.info({ authorization: 'Bearer sk_live_x', req: { headers: { authorization: 'Bearer sk_live_x' } } }, 'seen')
  assert.ok(!lines.join().includes('sk_live_x'))
})

test('silent writes nothing', () => {
  const { lines, logger } = collecting('silent')
  logger.fatal('no')
  assert.deepEqual(lines, [])
})
