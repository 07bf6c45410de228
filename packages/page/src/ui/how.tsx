import type { ReactNode } from 'react'
import { Link } from '../shell/router.tsx'
import type { MethodPart } from './how.ts'
import { Icon } from './icon.tsx'
import css from './ui.module.css'

/** Links to the methodology section about a number. */
export const How = ({ part, of }: { part: MethodPart; of: ReactNode }) => (
  <Link to={`/guide/methodology#${part}`} className={css.small} title="How is this computed?">
    <Icon width="15" height="15">
      <circle cx="8" cy="8" r="6.5" strokeWidth="1.3" />
      <path d="M6.1 6.3a1.9 1.9 0 1 1 2.8 1.7c-.6.3-.9.6-.9 1.3" strokeWidth="1.4" strokeLinecap="round" />
      <path d="M8 11.2v.3" strokeWidth="1.7" strokeLinecap="round" />
    </Icon>
    <span className="unseen">How is this computed: {of}</span>
  </Link>
)
