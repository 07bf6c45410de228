import { type ComponentProps, type JSX, type MouseEvent, useMemo, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function notifyAll(): void {
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', notifyAll)
  history.scrollRestoration = 'manual'
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', notifyAll)
  }
}

const here = (): string => location.pathname + location.search

/** The place where an entry of the history was left by a link. */
interface Left {
  readonly y: number
}

/** Null for a page that is opened anew. */
export const placeLeft = (): Left | null => (import.meta.env.SSR ? null : (history.state as Left | null))

const BY_HAND = ['wheel', 'touchmove', 'keydown'] as const

/** Scrolls to a place, as soon as the page is that long and unless the visitor scrolls before; returns how to give up. */
export function scrollBackTo(y: number): () => void {
  const stop = (): void => {
    grown.disconnect()
    for (const type of BY_HAND) removeEventListener(type, stop)
  }
  const grown = new ResizeObserver(() => {
    scrollTo(0, y)
    if (scrollY >= y - 1) stop()
  })
  for (const type of BY_HAND) addEventListener(type, stop, { passive: true })
  scrollTo(0, y)
  grown.observe(document.body)
  return stop
}

/** Navigates within the page; scrolls to the element that the fragment names. */
export function go(to: string, options?: { replace?: boolean }): void {
  const [path, part] = to.split('#')
  if (path === here() && part !== undefined) document.getElementById(part)?.scrollIntoView()
  if (path === here()) return
  if (options?.replace) history.replaceState(history.state, '', to)
  else {
    history.replaceState({ y: scrollY } satisfies Left, '')
    history.pushState(null, '', to)
  }
  notifyAll()
}

interface Route {
  readonly path: string
  readonly query: URLSearchParams
  go(to: string, options?: { replace?: boolean }): void
}

export function useRoute(): Route {
  const at = useSyncExternalStore(listen, here, here)
  return useMemo(() => {
    const [path = '/', query = ''] = at.split('?')
    return { path, query: new URLSearchParams(query), go }
  }, [at])
}

type AnchorProps = Omit<ComponentProps<'a'>, 'href'>

/** A link within the page; modified clicks are left to the browser. */
export function Link({ to, onClick, ...rest }: { to: string } & AnchorProps): JSX.Element {
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain || rest.target !== undefined) return
    event.preventDefault()
    go(to)
  }
  return <a href={to} onClick={open} {...rest} />
}
