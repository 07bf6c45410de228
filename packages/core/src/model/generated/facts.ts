// Made by `npm run model` of the tables in packages/core/src/model: change those.
import { MalformedBytes, type Reader, readList, readNumbers, type Writer, writeNumbers } from '../bytes.ts'
import type {
  AgentFact,
  DexPaidFact,
  Fact,
  FunderFact,
  FundingFact,
  HoldersFact,
  ImageHashFact,
  KolFact,
  MetadataFact,
  SolPriceFact,
} from '../facts.ts'
import type { KeyReader, KeyWriter } from '../keys.ts'

function writeSolPriceFact(w: Writer, v: SolPriceFact): void {
  w.num(v.usd)
}

function readSolPriceFact(r: Reader): Fact {
  return {
    kind: 'sol_price',
    usd: r.num(),
  }
}

function writeMetadataFact(w: Writer, keys: KeyWriter, v: MetadataFact): void {
  keys.key(v.mint)
  w.textOrNull(v.description)
  w.textOrNull(v.image)
  w.textOrNull(v.twitter)
  w.textOrNull(v.telegram)
  w.textOrNull(v.website)
  w.textOrNull(v.twitterNorm)
  w.textOrNull(v.telegramNorm)
  w.textOrNull(v.websiteNorm)
}

function readMetadataFact(r: Reader, keys: KeyReader): Fact {
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
  }
}

function writeImageHashFact(w: Writer, keys: KeyWriter, v: ImageHashFact): void {
  keys.key(v.mint)
  w.text(v.sha256)
}

function readImageHashFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'image_hash',
    mint: keys.key(),
    sha256: r.text(),
  }
}

function writeDexPaidFact(w: Writer, keys: KeyWriter, v: DexPaidFact): void {
  keys.key(v.mint)
  w.num(v.time)
}

function readDexPaidFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'dex_paid',
    mint: keys.key(),
    time: r.num(),
  }
}

function writeFunderFact(w: Writer, keys: KeyWriter, v: FunderFact): void {
  keys.key(v.wallet)
  keys.key(v.funder)
  w.num(v.slot)
  w.u8(v.exchange ? 1 : 0)
}

function readFunderFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'funder',
    wallet: keys.key(),
    funder: keys.key(),
    slot: r.int(),
    exchange: r.bool(),
  }
}

function writeKolFact(w: Writer, keys: KeyWriter, v: KolFact): void {
  keys.key(v.wallet)
  w.textOrNull(v.name)
}

function readKolFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'kol',
    wallet: keys.key(),
    name: r.textOrNull(),
  }
}

function writeAgentFact(w: Writer, keys: KeyWriter, v: AgentFact): void {
  keys.key(v.wallet)
  w.textOrNull(v.name)
}

function readAgentFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'agent',
    wallet: keys.key(),
    name: r.textOrNull(),
  }
}

function writeFundingFact(w: Writer, keys: KeyWriter, v: FundingFact): void {
  keys.key(v.wallet)
  keys.key(v.funder)
  w.num(v.slot)
  w.u8(v.exchange ? 1 : 0)
  w.num(v.lamports)
}

function readFundingFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'funding',
    wallet: keys.key(),
    funder: keys.key(),
    slot: r.int(),
    exchange: r.bool(),
    lamports: r.int(),
  }
}

function writeHoldersFact(w: Writer, keys: KeyWriter, v: HoldersFact): void {
  keys.key(v.mint)
  w.num(v.slot)
  w.num(v.owners.length)
  for (const item of v.owners) keys.key(item)
  writeNumbers(w, v.amounts)
  w.num(v.rest)
}

function readHoldersFact(r: Reader, keys: KeyReader): Fact {
  return {
    kind: 'holders',
    mint: keys.key(),
    slot: r.int(),
    owners: readList(r, () => keys.key()),
    amounts: readNumbers(r),
    rest: r.int(),
  }
}

const FACT_KIND = {
  sol_price: 0,
  metadata: 1,
  image_hash: 2,
  dex_paid: 3,
  funder: 4,
  kol: 5,
  agent: 6,
  funding: 7,
  holders: 8,
} as const

export function writeFact(w: Writer, keys: KeyWriter, v: Fact): void {
  w.u8(FACT_KIND[v.kind])
  switch (v.kind) {
    case 'sol_price':
      return writeSolPriceFact(w, v)
    case 'metadata':
      return writeMetadataFact(w, keys, v)
    case 'image_hash':
      return writeImageHashFact(w, keys, v)
    case 'dex_paid':
      return writeDexPaidFact(w, keys, v)
    case 'funder':
      return writeFunderFact(w, keys, v)
    case 'kol':
      return writeKolFact(w, keys, v)
    case 'agent':
      return writeAgentFact(w, keys, v)
    case 'funding':
      return writeFundingFact(w, keys, v)
    case 'holders':
      return writeHoldersFact(w, keys, v)
  }
}

export function readFact(r: Reader, keys: KeyReader): Fact {
  const kind = r.u8()
  switch (kind) {
    case 0:
      return readSolPriceFact(r)
    case 1:
      return readMetadataFact(r, keys)
    case 2:
      return readImageHashFact(r, keys)
    case 3:
      return readDexPaidFact(r, keys)
    case 4:
      return readFunderFact(r, keys)
    case 5:
      return readKolFact(r, keys)
    case 6:
      return readAgentFact(r, keys)
    case 7:
      return readFundingFact(r, keys)
    case 8:
      return readHoldersFact(r, keys)
    default:
      throw new MalformedBytes(`unknown kind ${kind}`)
  }
}
