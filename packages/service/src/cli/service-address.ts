import { program } from '../config/invocation.ts'
import { wrongUsage } from './parse.ts'

/** The address and key of a running service. */

export const DEFAULT_URL = 'http://127.0.0.1:4000'

/** Messages never repeat the key, because a malformed key may still be mostly right. */
export function readKey(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw wrongUsage(
      'a key is needed, in TI_KEY or --key. The first start of a service prints one; it makes more with\n' +
        `  ${program()} keys create`,
    )
  }
  if (!/^sk_(live|test)_[\w-]{43}$/.test(key))
    throw wrongUsage('that is no key: it is sk_live_, or sk_test_ for play money, and 43 characters')
  return key
}

export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw wrongUsage('--url takes the http or https address of a service, without a name, a query or a fragment')
  }
  return url.href.replace(/\/+$/, '')
}
