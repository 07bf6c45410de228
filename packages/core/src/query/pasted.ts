import { keyToBase58 } from '../base/base58.ts'
import { ACTOR_ID } from '../contract/parameters.ts'
import { USD1, USDC, WRAPPED_SOL } from '../model/programs.ts'

/** The addresses and names in a text pasted into the search. Links of every site are read alike: the addresses in them count, not their shape. */
export interface Pasted {
  /** Host of a link; null: no link. */
  readonly host: string | null
  /** Words that can be an address, in order; some sites write them in lower case. */
  readonly addresses: readonly string[]
  /** An actor's stable name. */
  readonly actor: string | null
  readonly kind: 'words' | 'address' | 'transaction' | 'foreign'
  /** The text to find names by; '' for a link without one. */
  readonly text: string
  /** A leading `$`: only symbols are meant. */
  readonly isSymbol: boolean
}

/** Base58 of 32 bytes, or the same in lower case. */
const ADDRESS = /^[1-9A-Za-z]{32,44}$/
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/
const FOREIGN = /\b0x[0-9a-fA-F]{40}\b/
/** Mints that pairs are traded against: they are never what a link is about. */
const QUOTES: ReadonlySet<string> = new Set([WRAPPED_SOL, USDC, USD1].map(keyToBase58))
/** Sites whose links are about somebody: the first part of the path is a name. */
const PROFILES = /(?:^|\.)(?:x|twitter|t)\.(?:com|me)$/

function linkOf(text: string): URL | null {
  if (/\s/.test(text) || !/^(?:[a-z]+:\/\/|[\w-]+(?:\.[\w-]+)+(?::\d+)?\/|localhost:\d+\/)/i.test(text)) return null
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)
  return url === null || url.host === '' ? null : url
}

/** Percent signs that encode nothing stay as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function readPasted(raw: string): Pasted {
  const text = raw.trim()
  const link = linkOf(text)
  const where = link === null ? text : decoded(link.pathname + link.search + link.hash)
  const words = where.split(/[^A-Za-z0-9]+/).filter((word) => !QUOTES.has(word))
  const isOneWord = link !== null || /^[A-Za-z0-9]+$/.test(text)
  const addresses = isOneWord ? [...new Set(words.filter((word) => ADDRESS.test(word)))].slice(0, 8) : []
  const actor = where.split(/[^\w]+/).find((word) => ACTOR_ID.test(word) && word.startsWith('act_')) ?? null
  const kind =
    addresses.length > 0
      ? 'address'
      : isOneWord && words.some((word) => SIGNATURE.test(word))
        ? 'transaction'
        : FOREIGN.test(where)
          ? 'foreign'
          : 'words'
  return {
    host: link?.host.replace(/^www\./, '') ?? null,
    addresses,
    actor,
    kind,
    text: link === null ? text.replace(/^[$@]/, '') : PROFILES.test(link.hostname) ? (words[1] ?? '') : '',
    isSymbol: text.startsWith('$'),
  }
}

const short = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`

/** The part understood of a text that found nothing, and what to do next. */
export function whyNothing({ host, addresses, kind, text, isSymbol }: Pasted): string {
  const from = host === null ? '' : ` from ${host}`
  if (kind === 'address')
    return `The address ${short(addresses[0]!)}${from} has not traded here: it is older than this service’s history, or not from a launchpad that it reads. Search by symbol instead.`
  if (kind === 'transaction') return `That is a transaction${from}. Paste the mint of its token, or one of its wallets.`
  if (kind === 'foreign') return `That address${from} is of another chain. Only Solana is read here.`
  if (host !== null && text === '')
    return `This link${from} names no token, pair or wallet. Open the token there and copy that page’s link, or paste its mint.`
  return `Nothing here begins with “${text}”${isSymbol ? ' as a symbol' : ''}. Try the first letters of the symbol or the mint, or paste a link.`
}
