import { Link } from './router.tsx'
import type { PageName } from './routes.ts'
import css from './shell.module.css'

const NAVIGATION = [
  ['board', '/', 'Board'],
  ['guide', '/guide', 'Guide'],
  ['status', '/status', 'Status'],
  ['account', '/account', 'Account'],
] as const

export function Header({ page }: { page: PageName | null }) {
  return (
    <header className={css.header}>
      <Link to="/" className={css.brand}>
        Token Intelligence
      </Link>
      <nav aria-label="Pages" className={css.nav}>
        {NAVIGATION.map(([name, to, label]) => (
          <Link key={name} to={to} aria-current={page === name ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
    </header>
  )
}
