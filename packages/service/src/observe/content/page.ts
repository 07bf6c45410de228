import { normaliseLink } from '@ti/core/base/normalise.ts'
import { plainLine } from '@ti/core/base/plain-text.ts'
import type { MetadataFact } from '@ti/core/model/facts.ts'
import { z } from 'zod'
import { parseJson } from '../../base/bounded-text.ts'
import { webForm } from './address.ts'

/** characters of a description and of a link */
export const DESCRIPTION_LENGTH = 2_000
export const LINK_LENGTH = 1_024

export type TokenPage = Omit<MetadataFact, 'kind' | 'mint'>

/** A field of another type counts as missing. */
const field = z.string().nullable().catch(null)
const PAGE = z.object({ description: field, image: field, twitter: field, telegram: field, website: field })

/** Gateways for links without http: clients put an image's link into a page as it is. */
const SHOWN_ON = { ipfs: 'https://ipfs.io', arweave: 'https://arweave.net' }

/**
 * The validated contents of a token's metadata page; null if it is not a JSON object. Name and symbol come from the chain,
 * not from here. The text may still be hostile in meaning; only its form is made safe.
 */
export function readPage(bytes: Buffer): TokenPage | null {
  // JSON.parse accepts any depth; only the listed fields are read
  const parsed = PAGE.safeParse(parseJson(new TextDecoder().decode(bytes)))
  if (!parsed.success) return null
  const { description, image, twitter, telegram, website } = parsed.data
  const links = { twitter: webLink(twitter), telegram: webLink(telegram), website: webLink(website) }
  return {
    description: description === null ? null : plainLine(description, DESCRIPTION_LENGTH) || null,
    image: image === null || image.length > LINK_LENGTH ? null : imageLink(image),
    ...links,
    twitterNorm: norm(links.twitter),
    telegramNorm: norm(links.telegram),
    websiteNorm: norm(links.website),
  }
}

const norm = (link: string | null): string | null => (link === null ? null : normaliseLink(link))

/** An http(s) URL in the form of the parser, which leaves no quote, bracket, space or control character in it. */
function webLink(text: string | null): string | null {
  if (text === null || text.length > LINK_LENGTH) return null
  const link = plainLine(text, LINK_LENGTH)
  // links written by hand lack a scheme: `x.com/name`
  const full = /^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`
  return normaliseLink(full) === null ? null : safeHref(full)
}

const imageLink = (text: string): string | null => {
  const link = webForm(plainLine(text, LINK_LENGTH), SHOWN_ON)
  return link === null ? null : safeHref(link)
}

/** Null if the link has credentials, whose only use is to show another host than the one that is opened. */
function safeHref(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { username, password, href, protocol } = new URL(link)
  const plain = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  // the parser leaves the apostrophe
  return plain && href.length <= LINK_LENGTH ? href.replaceAll("'", '%27') : null
}
