import { randomBytes } from 'node:crypto'
import { base58Encode } from '@ti/core/base/base58.ts'
import { ENDPOINTS, type OperationId } from '@ti/core/contract/endpoints.ts'
import type { Good } from './payments-wire.ts'

/** What there is to buy at a service whose answers stand still, with every answer as a Pro key gets it. */
export interface Goods {
  readonly full: readonly Good[]
  /** answered with an empty list: nothing to charge for */
  readonly empty: readonly Good[]
  readonly unknown: readonly Good[]
  readonly malformed: readonly Good[]
}

type Arguments = Readonly<Record<string, string | number>>

function goodOf(id: OperationId, args: Arguments, expected: string | null): Good {
  const { path, tool, priceUnits } = ENDPOINTS.find((one) => one.id === id)!
  const rest = { ...args }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return value
  })
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, `${value}`]),
  ).toString()
  const whole = { ...args, detail: 'full' }
  return { path: query === '' ? filled : `${filled}?${query}`, tool, args: whole, amount: priceUnits, expected }
}

export async function findGoods(url: string, key: string): Promise<Goods> {
  async function read(id: OperationId, args: Arguments = {}) {
    const good = goodOf(id, args, null)
    const answer = await fetch(url + good.path, { headers: { authorization: `Bearer ${key}` } })
    if (answer.status !== 200) throw new Error(`${good.path} is answered with ${answer.status}`)
    const { data } = (await answer.json()) as { data: unknown }
    return { data, good: { ...good, expected: JSON.stringify(data) } }
  }
  const lists = await Promise.all((['new', 'pumps', 'graduated', 'agents', 'survivors'] as const).map((id) => read(id)))
  const mints = (lists[0]!.data as { mint: string }[]).slice(0, 4).map(({ mint }) => mint)
  const [mint] = mints
  if (mint === undefined) throw new Error('the market has no new token')
  const snapshots = await Promise.all(mints.map((mint) => read('snapshot', { mint })))
  const { meta, holders } = snapshots[0]!.data as {
    meta: { deployer: string }
    holders: { top: { address: string }[] }
  }
  const others = await Promise.all([
    read('snapshot', { mint, fields: 'score,market' }),
    read('trades', { mint }),
    read('trader', { address: holders.top[0]!.address }),
    read('deployer', { address: meta.deployer, limit: 10 }),
  ])
  const nobody = base58Encode(randomBytes(32).toString('latin1'))
  const all = [...lists, ...snapshots, ...others].map(({ good }) => good)
  return {
    full: all.filter(({ expected }) => expected !== '[]'),
    empty: all.filter(({ expected }) => expected === '[]'),
    unknown: [
      goodOf('snapshot', { mint: nobody }, null),
      goodOf('trades', { mint: nobody }, null),
      goodOf('trader', { address: nobody }, null),
    ],
    malformed: [
      goodOf('trades', { mint: 'not-a-mint' }, null),
      goodOf('snapshot', { mint, fields: 'score,nonsense' }, null),
      goodOf('deployer', { address: meta.deployer, limit: 'many' }, null),
    ],
  }
}
