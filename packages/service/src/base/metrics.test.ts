import assert from 'node:assert/strict'
import { test } from 'node:test'
import { count, createCounts } from '@ti/core/base/counts.ts'
import { createMetrics } from './metrics.ts'

test('counters, gauges and counts are read at each scrape', async () => {
  const metrics = createMetrics()
  const counts = createCounts()
  let lag = 1
  metrics.gauge('lag_slots', 'lag', [], () => [{ labels: {}, value: lag }])
  metrics.counter('answers_total', 'answers', ['status'], () => [{ labels: { status: 200 }, value: lag * 10 }])
  metrics.counts('skipped_total', 'skipped', 'reason', counts)
  assert.match(await metrics.text(), /^lag_slots 1$/m)
  lag = 7
  count(counts, 'unknown_program', 3)
  const text = await metrics.text()
  assert.match(text, /^lag_slots 7$/m)
  assert.match(text, /^answers_total\{status="200"\} 70$/m)
  assert.match(text, /^skipped_total\{reason="unknown_program"\} 3$/m)
  assert.match(text, /^# TYPE skipped_total counter$/m)
})

test('histograms cumulate their buckets', async () => {
  const metrics = createMetrics()
  metrics.histogram('wait_seconds', 'wait', [0.1, 1], () => [
    { labels: { op: 'a' }, buckets: [2, 3, 1], sum: 4.5, count: 6 },
  ])
  const text = await metrics.text()
  assert.match(text, /^# TYPE wait_seconds histogram$/m)
  assert.match(text, /^wait_seconds_bucket\{op="a",le="0.1"\} 2$/m)
  assert.match(text, /^wait_seconds_bucket\{op="a",le="1"\} 5$/m)
  assert.match(text, /^wait_seconds_bucket\{op="a",le="\+Inf"\} 6$/m)
  assert.match(text, /^wait_seconds_sum\{op="a"\} 4.5$/m)
  assert.match(text, /^wait_seconds_count\{op="a"\} 6$/m)
})

test('process metrics only when asked for', async () => {
  assert.equal((await createMetrics().text()).trim(), '')
  assert.match(await createMetrics({ process: true }).text(), /^process_resident_memory_bytes \d+$/m)
})
