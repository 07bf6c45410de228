import { useEffect, useRef, useState } from 'react'
import { refusalInWords } from '../../api/refusal.ts'
import { Link } from '../../shell/router.tsx'
import { announce } from '../../ui/announce.ts'
import { Field, Select } from '../../ui/controls.tsx'
import css from './account.module.css'
import { curlLine, LIFETIMES, NAME_MAX, type NewKey } from './account.ts'
import { Command, Form, Once } from './parts.tsx'
import { requestKey } from './work.ts'

interface MakeKeyProps {
  /** initial name */
  readonly suggested: string
  /** the account has the most keys already */
  readonly full: boolean
  readonly most: number
  onMake(key: NewKey): void
}

interface Work {
  readonly done: number
  readonly parts: number
}

export function MakeKey({ suggested, full, most, onMake }: MakeKeyProps) {
  const [name, setName] = useState(suggested)
  const [lifetime, setLifetime] = useState(0)
  const [busy, setBusy] = useState(false)
  /** progress of the proof of work; null if none is required, or before the answer */
  const [work, setWork] = useState<Work | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  /** leaving the page cancels the request */
  const gone = useRef(new AbortController())
  useEffect(() => {
    gone.current = new AbortController()
    return () => gone.current.abort()
  }, [])

  const tell = (done: number, parts: number): void => {
    if (done === 0) announce('Your browser computes a proof of work')
    setWork({ done, parts })
  }

  const make = async (): Promise<void> => {
    if (name.trim() === '') return setProblem('Name the key first: which program will use it?')
    setBusy(true)
    setProblem(null)
    const days = LIFETIMES[lifetime]?.days ?? null
    const body = { name: name.trim(), ...(days === null ? {} : { expires_in_days: days }) }
    const { signal } = gone.current
    const answer = await requestKey(body, { tell, signal })
    if (signal.aborted) return
    setBusy(false)
    setWork(null)
    if (answer.ok) onMake(answer.data)
    else setProblem(refusalInWords(answer))
  }
  if (full) {
    return (
      <p className="soft" role="note">
        All {most} keys are in use. Revoke one to make another.
      </p>
    )
  }
  return (
    <Form problem={null} busy={busy} action={actionOf(busy, work)} onSend={() => void make()}>
      <Field
        label="Name of a new key"
        placeholder="trading bot"
        value={name}
        maxLength={NAME_MAX}
        autoComplete="off"
        problem={problem}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(null)
        }}
      />
      <Select label="Valid" value={lifetime} onChange={(event) => setLifetime(Number(event.target.value))}>
        {LIFETIMES.map(({ label }, at) => (
          <option key={label} value={at}>
            {label}
          </option>
        ))}
      </Select>
      {work !== null && (
        <p className={`soft ${css.wide}`} role="note">
          A free key costs proof of work instead of money, so your browser computes for a few seconds. Accounts that
          have paid skip this.
        </p>
      )}
    </Form>
  )
}

const actionOf = (busy: boolean, work: Work | null): string =>
  !busy ? 'Make a key' : work === null ? 'Making the key' : `Working: ${work.done} of ${work.parts}`

/** Shows the new key. */
export const MadeKey = ({ made, publicUrl, onDone }: { made: NewKey; publicUrl: string; onDone(): void }) => (
  <Once
    title="Your new key:"
    name={made.name}
    done="I have stored it"
    next={
      <Link to="/guide" target="_blank">
        Next steps in the guide
      </Link>
    }
    onDone={onDone}
  >
    <p>
      <strong>It is shown only once.</strong> Store it where your program can read it; the service has no copy. If you
      lose it, revoke it and make another.
    </p>
    <Command text={made.key} label="Copy the key" />
    <p>Try it from a terminal:</p>
    <Command text={curlLine(publicUrl, made.key)} label="Copy the command" />
  </Once>
)
