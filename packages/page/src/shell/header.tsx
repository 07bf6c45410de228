import { AlertsLink } from './alerts-link.tsx'
import { Link } from './router.tsx'
import type { PageName } from './routes.ts'
import { Search } from './search.tsx'
import css from './shell.module.css'
import { Standing } from './standing.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const NAVIGATION = [
  ['board', '/', 'Board'],
  ['accuracy', '/accuracy', 'Accuracy'],
  ['guide', '/guide', 'Guide'],
  ['status', '/status', 'Status'],
  ['account', '/account', 'Account'],
] as const

export const Header = ({ page }: { page: PageName | null }) => (
  <header className={css.header}>
    <Link to="/" className={css.brand} aria-label="Token Intelligence, to the board">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <circle cx="16" cy="16" r="11" fill="none" stroke="currentColor" strokeWidth="4" />
        <circle cx="16" cy="16" r="4" fill="currentColor" />
      </svg>
      <span className={css.brandName}>Token Intelligence</span>
    </Link>
    <Search />
    <nav aria-label="Pages" className={css.nav}>
      {NAVIGATION.map(([name, to, label]) => (
        <Link key={name} to={to} aria-current={page === name ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      <a href="/docs">API</a>
    </nav>
    <div className={css.end}>
      <Standing />
      <AlertsLink />
      <ThemeSwitch />
    </div>
  </header>
)
