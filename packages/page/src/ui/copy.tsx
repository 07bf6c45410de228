import { useEffect, useState } from 'react'
import { announce } from './announce.ts'
import { Icon } from './icon.tsx'
import css from './ui.module.css'

/** milliseconds for which the result is shown */
const SHOWN_MS = 1_600

const SHOWN = { idle: undefined, copied: 'green', failed: 'red' } as const

/** Copies a text and announces the result. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    const done = await write(text)
    setState(done ? 'copied' : 'failed')
    announce(done ? 'Copied' : 'The browser does not allow copying')
  }
  return (
    <button
      type="button"
      className={css.small}
      data-rating={SHOWN[state]}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      <Icon strokeWidth="1.5">
        {state === 'copied' ? (
          <path d="m3 8.5 3.2 3.2L13 4.8" />
        ) : state === 'failed' ? (
          <path d="m4 4 8 8m0-8-8 8" />
        ) : (
          <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />
        )}
      </Icon>
    </button>
  )
}

/** The clipboard API requires a secure origin; other origins use the old command. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    const before = document.activeElement
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus()
    return done
  }
}
