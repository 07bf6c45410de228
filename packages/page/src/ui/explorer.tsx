import { useNetwork } from '../api/session.ts'
import { type Explored, explorerOf } from './explorer.ts'
import { Icon } from './icon.tsx'
import css from './ui.module.css'

const WORDS = { mint: 'mint', wallet: 'wallet', deployer: 'wallet', tx: 'transaction' } as const

/** Link to a block explorer; renders nothing on a private network. */
export function Explorer({ kind, value }: { kind: Explored; value: string }) {
  const href = explorerOf(useNetwork(), kind, value)
  if (href === null) return null
  const label = `Open ${WORDS[kind]} in an explorer (new tab)`
  return (
    <a className={css.small} href={href} target="_blank" rel="noopener noreferrer" title={label}>
      <Icon strokeWidth="1.5">
        <path d="M9.5 2.5h4v4m0-4-6 6M6.5 3.5h-4v10h10v-4" />
      </Icon>
      <span className="unseen">{label}</span>
    </a>
  )
}
