import type { ReactNode } from 'react'
import { Link } from '../shell/router.tsx'
import { Copy } from './copy.tsx'
import { Explorer } from './explorer.tsx'
import { shortAddress } from './format.ts'
import { safeLink } from './links.ts'
import css from './ui.module.css'

/** An external link with its host; other URLs are shown as text. */
export function ExternalLink({ href, children }: { href: string; children?: ReactNode }) {
  const link = safeLink(href)
  if (link === null) return <span className={css.muted}>{children ?? <bdi>{href}</bdi>}</span>
  return (
    <a className={css.external} href={link.href} rel="noopener noreferrer nofollow" target="_blank">
      {children}
      {children !== undefined && ' '}
      <bdi className={css.muted}>{link.host}</bdi>
      <span className="unseen"> (opens in a new tab)</span>
    </a>
  )
}

const PATHS = { mint: '/token/', wallet: '/trader/', deployer: '/deployer/', tx: null } as const
const WORDS = { mint: 'mint', wallet: 'wallet', deployer: 'deployer', tx: 'signature' } as const

/** A shortened address with links and a copy button. */
export function Address({ value, kind }: { value: string; kind: keyof typeof PATHS }) {
  const path = PATHS[kind]
  const short = shortAddress(value)
  return (
    <span className={css.address}>
      {path === null ? (
        <span title={value}>{short}</span>
      ) : (
        <Link to={path + value} title={value}>
          {short}
        </Link>
      )}
      <Copy text={value} label={`Copy ${WORDS[kind]}`} />
      <Explorer kind={kind} value={value} />
    </span>
  )
}
