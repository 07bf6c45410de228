import { useEffect, useMemo, useState } from 'react'
import source from '../../../../docs/start.md?raw'
import { useSession } from '../../api/session.ts'
import { addressed } from './addresses.ts'
import css from './guide.module.css'
import { type Block, plainText, readMarkdown } from './markdown.ts'
import { Markdown } from './markdown.tsx'

type Heading = Extract<Block, { kind: 'heading' }>

/** docs/start.md, with the addresses of this service in it. */
export default function Page() {
  const { session } = useSession()
  const publicUrl = session?.public_url ?? location.origin
  const blocks = useMemo(() => readMarkdown(addressed(source, publicUrl)), [publicUrl])
  const parts = blocks.filter((block): block is Heading => block.kind === 'heading' && block.level === 2)
  useEffect(() => {
    document.title = 'Guide · Token Intelligence'
    // the part that the address names was not there when the browser looked for it
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [])
  return (
    <div className={css.page}>
      <Contents parts={parts} />
      <Markdown blocks={blocks} publicUrl={publicUrl} />
    </div>
  )
}

/** The parts of the page; the one that is read is marked. */
function Contents({ parts }: { parts: readonly Heading[] }) {
  const [read, setRead] = useState<string | null>(null)
  const ids = parts.map(({ id }) => id).join(' ')
  useEffect(() => {
    const look = (): void => {
      const above = ids
        .split(' ')
        .filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 1e9) < 120)
      setRead(above.at(-1) ?? null)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [ids])
  return (
    <nav className={css.contents} aria-label="On this page">
      <ul>
        {parts.map(({ id, line }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={read === id ? 'location' : undefined}>
              {plainText(line)}
            </a>
          </li>
        ))}
      </ul>
      <p>
        For programs: <a href="/docs">reference</a>, <a href="/openapi.json">OpenAPI</a>,{' '}
        <a href="/llms.txt">llms.txt</a>
      </p>
    </nav>
  )
}
