/**
 * The target of a token's link. Content on IPFS and Arweave is the same on every gateway, so its id identifies it and the
 * operator's gateways serve it; all other content is identified by its URL.
 */
export interface ContentAddress {
  readonly kind: 'ipfs' | 'arweave' | 'web'
  /** equal for equal content */
  readonly id: string
  /** on IPFS and Arweave: id and path below a gateway, like `ipfs/CID/0.json` or `TXID` */
  readonly path: string
  /** the link's own URL if it is on the web */
  readonly url: string | null
}

/** CIDv0; v1 in base32, base36 and base58. Bounded: a longer one would name a hash that is not in use. */
const CID = /^(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,110}|k[0-9a-z]{45,100}|z[1-9A-HJ-NP-Za-km-z]{45,100})$/
const ARWEAVE_ID = /^[\w-]{43}$/

export function readAddress(link: string): ContentAddress | null {
  const text = link.trim()
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?([^/?#]+)(\/[^?#]*)?/i.exec(text)
  if (ipfs !== null) return onIpfs(ipfs[1]!, ipfs[2] ?? '', null)
  const arweave = /^ar:\/\/([^/?#]+)(\/[^?#]*)?/i.exec(text)
  if (arweave !== null) return onArweave(arweave[1]!, arweave[2] ?? '', null)
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  url.hash = ''
  const { hostname, pathname, href } = url
  const inPath = /^\/ipfs\/([^/]+)(\/.*)?$/.exec(pathname)
  const inHost = /^([a-z0-9]+)\.ipfs\./.exec(hostname)
  const inArweave = /^\/([^/]+)(\/.*)?$/.exec(pathname)
  return (
    (inPath === null ? null : onIpfs(inPath[1]!, inPath[2] ?? '', href)) ??
    (inHost === null ? null : onIpfs(inHost[1]!, pathname, href)) ??
    (/(^|\.)arweave\.net$/.test(hostname) && inArweave !== null
      ? onArweave(inArweave[1]!, inArweave[2] ?? '', href)
      : null) ?? { kind: 'web', id: href, path: '', url: href }
  )
}

function onIpfs(cid: string, below: string, url: string | null): ContentAddress | null {
  const path = CID.test(cid) ? cleanPath(`ipfs/${cid}`, below) : null
  return path === null ? null : { kind: 'ipfs', id: path, path, url }
}

function onArweave(id: string, below: string, url: string | null): ContentAddress | null {
  const path = ARWEAVE_ID.test(id) ? cleanPath(id, below) : null
  return path === null ? null : { kind: 'arweave', id: `ar/${path}`, path, url }
}

const BASE = 'https://gateway.invalid'

/** The path of `root` and the rest below it; null if the rest climbs out of it. */
function cleanPath(root: string, below: string): string | null {
  const { origin, pathname } = new URL(`${BASE}/${root}${below === '/' ? '' : below}`)
  const within = pathname === `/${root}` || pathname.startsWith(`/${root}/`)
  return origin === BASE && within ? pathname.slice(1) : null
}

/** The link as a browser can follow it, on the first gateway; null if it leads nowhere. */
export function webForm(link: string, gateways: { readonly ipfs: string; readonly arweave: string }): string | null {
  const address = readAddress(link)
  if (address === null) return null
  if (address.url !== null) return address.url
  return joined(address.kind === 'ipfs' ? gateways.ipfs : gateways.arweave, address.path)
}

/** `base` may end in a slash or not. */
export const joined = (base: string, path: string): string => `${base.replace(/\/+$/, '')}/${path}`
