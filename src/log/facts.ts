import type { Fact, MetadataFact } from '../decode/events.ts'
import { MalformedBytes, type Reader, type Writer } from './bytes.ts'
import type { KeyReader, KeyWriter } from './keys.ts'

/** Facts as bytes. The numbers are part of the log's format: never reuse one. */
const KIND = { sol_price: 0, metadata: 1, image_hash: 2, dex_paid: 3, funder: 4, kol: 5, agent: 6 } as const

export function writeFact(w: Writer, keys: KeyWriter, fact: Fact): void {
  w.u8(KIND[fact.kind])
  if (fact.kind === 'sol_price') return w.num(fact.usd)
  switch (fact.kind) {
    case 'funder':
      keys.key(fact.wallet)
      keys.key(fact.funder)
      w.num(fact.slot)
      return w.u8(fact.exchange ? 1 : 0)
    case 'kol':
    case 'agent':
      keys.key(fact.wallet)
      return w.textOrNull(fact.name)
  }
  keys.key(fact.mint)
  switch (fact.kind) {
    case 'image_hash':
      return w.text(fact.sha256)
    case 'dex_paid':
      return w.num(fact.time)
    case 'metadata':
      w.textOrNull(fact.description)
      w.textOrNull(fact.image)
      w.textOrNull(fact.twitter)
      w.textOrNull(fact.telegram)
      w.textOrNull(fact.website)
      w.textOrNull(fact.twitterNorm)
      w.textOrNull(fact.telegramNorm)
      return w.textOrNull(fact.websiteNorm)
  }
}

export function readFact(r: Reader, keys: KeyReader): Fact {
  const kind = r.u8()
  switch (kind) {
    case KIND.sol_price:
      return { kind: 'sol_price', usd: r.num() }
    case KIND.funder:
      return { kind: 'funder', wallet: keys.key(), funder: keys.key(), slot: r.int(), exchange: r.bool() }
    case KIND.kol:
      return { kind: 'kol', wallet: keys.key(), name: r.textOrNull() }
    case KIND.agent:
      return { kind: 'agent', wallet: keys.key(), name: r.textOrNull() }
    case KIND.image_hash:
      return { kind: 'image_hash', mint: keys.key(), sha256: r.text() }
    case KIND.dex_paid:
      return { kind: 'dex_paid', mint: keys.key(), time: r.num() }
    case KIND.metadata:
      return {
        kind: 'metadata',
        mint: keys.key(),
        description: r.textOrNull(),
        image: r.textOrNull(),
        twitter: r.textOrNull(),
        telegram: r.textOrNull(),
        website: r.textOrNull(),
        twitterNorm: r.textOrNull(),
        telegramNorm: r.textOrNull(),
        websiteNorm: r.textOrNull(),
      } satisfies MetadataFact
    default:
      throw new MalformedBytes(`unknown fact kind ${kind}`)
  }
}
