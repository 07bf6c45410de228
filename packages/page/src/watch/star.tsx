import { refusalInWords } from '../api/refusal.ts'
import { useSession } from '../api/session.ts'
import { go } from '../shell/router.tsx'
import { announce } from '../ui/announce.ts'
import { notify } from '../ui/notices.ts'
import css from './star.module.css'
import { type WatchKind, watchName } from './watch.ts'
import { keepPending, useIsWatched, watches } from './watches.ts'

interface StarProps {
  readonly kind: WatchKind
  readonly target: string
  /** name of a token, wallet or deployer, chosen by strangers */
  readonly name: string
  /** only the star, for cards */
  readonly small?: boolean
  readonly tabIndex?: number
  /** in place of "Watch", and after the click if it differs */
  readonly words?: readonly [off: string, on?: string]
}

/** Watches or unwatches a target. Without an account, a click leads to the sign-in, which does it and leads back. */
export function Star({ kind, target, name, small = false, tabIndex, words }: StarProps) {
  const { session } = useSession()
  const on = useIsWatched(kind, target)
  const said = (on ? words?.[1] : null) ?? words?.[0]
  const label = said ?? (on ? `Stop watching ${name}` : `Watch ${name}`)
  const click = async (): Promise<void> => {
    const asked = { kind, target, name: watchName(name, target) }
    if (session?.signed_in !== true) {
      const from = location.pathname + location.search
      keepPending({ asked, from })
      return go(`/account?watch=${encodeURIComponent(from)}`)
    }
    announce(on ? `${name} is no longer watched` : `${name} is watched`)
    const failure = await watches.toggle(asked)
    if (failure !== null)
      notify({ tone: 'bad', text: `${on ? 'Still watching' : 'Not watching'} ${name}: ${refusalInWords(failure)}` })
  }
  return (
    <button
      type="button"
      className={small ? css.small : css.star}
      data-on={on || undefined}
      aria-label={label}
      aria-pressed={words === undefined || words[1] !== undefined ? undefined : on}
      title={label}
      tabIndex={tabIndex}
      onClick={() => void click()}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M8 1.9l1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.7l-3.8 2 .7-4.3-3.1-3 4.3-.6z" />
      </svg>
      {!small && <span>{said ?? (on ? 'Watching' : 'Watch')}</span>}
    </button>
  )
}
