import type { AppSearch } from '@ti/core/contract/app.ts'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { get } from '../api/client.ts'
import { announce } from '../ui/announce.ts'
import { counted, shortAddress, usd } from '../ui/format.ts'
import { TokenMark } from '../ui/mark.tsx'
import { useMedia } from '../ui/media.ts'
import { ScoreBadge } from '../ui/rating.tsx'
import { Ago } from '../ui/values.tsx'
import { go } from './router.tsx'
import css from './search.module.css'
import { type Choice, choicesOf, moved } from './search.ts'

/** milliseconds without typing before a search, and characters of a search */
const QUIET_MS = 180
const LONGEST = 400

/** Search box for tokens, wallets, crews and pasted links, an ARIA combobox; `/` focuses it. */
export function Search() {
  const narrow = useMedia('(width < 760px)')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [before] = useState(typedBefore)
  const [text, setText] = useState(before.text)
  const [open, setOpen] = useState(before.isFocused)
  const [active, setActive] = useState(-1)
  const { choices, problem, of } = useChoices(text)
  useSlash(input)
  useEffect(() => {
    if (before.isFocused) input.current?.focus()
  }, [before])

  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return
    setText('')
    setOpen(false)
    input.current?.blur()
    go(choice.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = moved(event.key, active, choices.length)
    if (to !== null && choices.length > 0) {
      event.preventDefault()
      setOpen(true)
      setActive(to)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // the choices must answer the present text
      if (of === text.trim()) choose(choices[Math.max(0, active)])
    } else if (event.key === 'Escape') {
      if (open) setOpen(false)
      else setText('')
    }
  }
  const shown = open && text.trim() !== '' && (choices.length > 0 || problem !== null)
  const option = (i: number): string => `${id}-${i}`
  return (
    <search className={css.search}>
      <input
        ref={input}
        className={css.input}
        role="combobox"
        aria-label="Search"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? option(active) : undefined}
        aria-keyshortcuts="/"
        placeholder={narrow ? 'Search or paste' : 'Symbol, mint, wallet, crew, or a link from any site'}
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(-1)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <span className={css.key} aria-hidden="true">
        /
      </span>
      <div className={css.box} hidden={!shown}>
        {problem !== null && <p className={css.problem}>{problem}</p>}
        <div role="listbox" id={`${id}-list`} aria-label="Found">
          {choices.map((choice, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, by the pattern
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
            <div
              key={choice.to}
              id={option(i)}
              role="option"
              aria-selected={i === active}
              className={css.option}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setActive(i)}
              onClick={() => choose(choice)}
            >
              <Found choice={choice} />
            </div>
          ))}
        </div>
      </div>
    </search>
  )
}

/** Takes over the text and focus of the skeleton's search box. */
function typedBefore(): { readonly text: string; readonly isFocused: boolean } {
  const box = import.meta.env.SSR ? null : document.querySelector<HTMLInputElement>('#page [role="combobox"]')
  return { text: box?.value ?? '', isFocused: box !== null && document.activeElement === box }
}

function Found({ choice }: { choice: Choice }) {
  if (choice.kind === 'token') {
    const { mint, symbol, name, mcap, score, colour, deployed_at, has_migrated } = choice.token
    return (
      <>
        <TokenMark mint={mint} size={28} />
        <span className={css.who}>
          <span className={css.names}>
            <bdi className={css.symbol}>{symbol || '(no symbol)'}</bdi> <bdi>{name}</bdi>
          </span>
          <span className={css.apart}>
            {choice.place !== null && <span className={css.place}>{choice.place}</span>}
            <span>
              <Ago at={deployed_at} /> old
            </span>
            <span className={css.tail} title={mint}>
              …{mint.slice(-6)}
            </span>
            {has_migrated && <span>graduated</span>}
          </span>
        </span>
        <span className={css.cap}>{usd(mcap)}</span>
        <ScoreBadge score={score} colour={colour} />
      </>
    )
  }
  if (!('address' in choice)) {
    return (
      <>
        <span className={css.kind}>{choice.kind === 'actor' ? 'Crew' : 'KOL'}</span>
        <span className={css.names}>
          <bdi className={css.symbol}>{choice.name}</bdi>
        </span>
      </>
    )
  }
  return (
    <>
      <span className={css.kind}>{choice.kind === 'trader' ? 'Wallet' : 'Deployer'}</span>
      <span className={css.names}>
        {choice.name !== null && <bdi className={css.symbol}>{choice.name}</bdi>} {shortAddress(choice.address)}
      </span>
      {choice.kind === 'trader' && <span className={css.cap}>{counted(choice.trades, 'trade')}</span>}
    </>
  )
}

interface Choices {
  readonly choices: readonly Choice[]
  readonly problem: string | null
  /** the text that the choices answer */
  readonly of: string
}

const NONE: Choices = { choices: [], problem: null, of: '' }

/** Searches after a pause in typing. */
function useChoices(text: string): Choices {
  const [found, setFound] = useState(NONE)
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === '') {
      setFound(NONE)
      return
    }
    const left = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await get<AppSearch>(`/app/search?q=${encodeURIComponent(wanted)}`, left.signal)
      if (left.signal.aborted) return
      const choices = answer.ok ? choicesOf(answer.data) : []
      const problem = !answer.ok ? answer.error.message : answer.data.nothing
      setFound({ choices, problem, of: wanted })
      announce(problem ?? `${choices.length} found`)
    }, QUIET_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [wanted])
  return found
}

/** Focuses the search on `/`, except while the user types elsewhere. */
function useSlash(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement | null
      if (target?.closest('input, textarea, select, [contenteditable]')) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [input])
}
