import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, openKeys } from '../../src/access/keys.ts'
import { createLogger } from '../../src/base/log.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '../../src/contract/examples.ts'
import { openApiText } from '../../src/contract/openapi.ts'
import { createHttpFace, type ServiceStatus } from '../../src/faces/http/face.ts'
import type { Query, Rendered } from '../../src/query/query.ts'

const renderedAt = '2026-10-01T01:25:24.000000Z'
const rendered = (value: unknown): Rendered => ({ bytes: Buffer.from(JSON.stringify(value)), renderedAt })

/** Answers with the examples of the contract, for the example's addresses. */
export function fakeQuery(): Query {
  const { mint, trader, deployer } = EXAMPLE_ADDRESSES
  const { data: snapshot } = EXAMPLES.snapshot
  return {
    snapshot: (asked, groups) =>
      asked === mint ? rendered(Object.fromEntries(groups.map((group) => [group, snapshot[group]]))) : null,
    trades: (asked) => (asked === mint ? rendered(EXAMPLES.trades.data) : null),
    list: (name) => rendered(EXAMPLES[name].data),
    trader: (address) => (address === trader ? rendered(EXAMPLES.trader.data) : null),
    deployer(address, limit, offset) {
      if (address !== deployer) return null
      const page = EXAMPLES.deployer.data.slice(offset, offset + limit)
      return {
        data: rendered(page),
        summary: Buffer.from(JSON.stringify(EXAMPLES.deployer.summary)),
        returned: page.length,
      }
    },
  }
}

export const READY: ServiceStatus = { ready: true, starting: false, reason: null, lagSlots: 2, seq: 10, slot: 500 }

export interface FakeService {
  readonly baseUrl: string
  readonly key: string
  readonly logged: string[]
  close(): Promise<void>
}

/** The real face with the real key check over a fake query. */
export async function startFake(
  change: { query?: Partial<Query>; status?: () => ServiceStatus; validateResponses?: boolean; level?: 'debug' } = {},
): Promise<FakeService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'face-'))
  const { key } = createKey(dataDir, 'test')
  const logged: string[] = []
  const face = createHttpFace({
    query: { ...fakeQuery(), ...change.query },
    keys: openKeys(dataDir),
    status: change.status ?? (() => READY),
    logger: createLogger(change.level ?? 'info', { write: (line: string) => void logged.push(line) }),
    metrics: createMetrics(),
    publicUrl: 'https://api.example.com',
    openApi: openApiText({ formulasVersion: '1' }),
    validateResponses: change.validateResponses ?? true,
  })
  const { port } = await face.listen('127.0.0.1', 0)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    key,
    logged,
    async close() {
      await face.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
