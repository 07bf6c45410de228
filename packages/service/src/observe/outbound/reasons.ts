/** Why a request brought nothing. A closed list: it labels metrics. */
export type Refusal =
  /** not an http(s) URL, too long, or with credentials in it */
  | 'url'
  /** another port than 80 and 443, and not the operator's */
  | 'port'
  /** a name or an address that is not on the internet */
  | 'address'
  /** the name has no address, or too many */
  | 'dns'
  | 'connect'
  | 'tls'
  /** the deadline of the whole request has passed */
  | 'timeout'
  /** more redirects than are followed, or one where none is */
  | 'redirects'
  /** a redirect that leads nowhere, or from https to http */
  | 'redirect'
  /** 404 and 410 */
  | 'missing'
  /** 429 */
  | 'rate'
  /** 5xx */
  | 'server'
  /** any other status but 200 */
  | 'status'
  /** headers over their bound, or one twice that has to be one */
  | 'headers'
  | 'content_type'
  /** an unknown or stacked content encoding, or bytes that are not in it */
  | 'encoding'
  /** the body, encoded or decoded, is over its bound */
  | 'too_large'
  /** the connection ended early, or the answer is not HTTP */
  | 'broken'
  /** the most requests are in flight already, in all or to this host */
  | 'busy'
  /** the service is stopping */
  | 'closed'

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly reason: Refusal

  constructor(reason: Refusal, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

const BY_CODE: Readonly<Record<string, Refusal>> = {
  UND_ERR_HEADERS_OVERFLOW: 'headers',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
}

/** The reason behind an error of the transport. */
export const reasonOf = (error: unknown): Refusal =>
  error instanceof Refused ? error.reason : (BY_CODE[String((error as { code?: unknown } | null)?.code)] ?? 'broken')
