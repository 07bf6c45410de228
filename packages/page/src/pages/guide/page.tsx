import { GUIDE_PARTS, GUIDES } from '@ti/core/contract/guides.ts'
import { useEffect, useMemo, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Link } from '../../shell/router.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { addressed } from './addresses.ts'
import css from './guide.module.css'
import { FIRST, isGuide, pathOf } from './guides.ts'
import { loadGuide } from './load.ts'
import { type Block, plainText, readMarkdown } from './markdown.ts'
import { Markdown } from './markdown.tsx'

type Heading = Extract<Block, { kind: 'heading' }>

/** A page of the documentation, with this service's address in its examples. */
export default function Page({ id }: { id: string }) {
  const name = id === '' ? FIRST : id
  if (isGuide(name)) return <Loaded key={name} name={name} />
  return (
    <Frame title={`There is no guide called ${name}`}>
      <ul>
        {Object.entries(GUIDES).map(([guide, { title }]) => (
          <li key={guide} className="row">
            <Link to={pathOf(guide)}>{title}</Link>
          </li>
        ))}
      </ul>
    </Frame>
  )
}

function Loaded({ name }: { name: string }) {
  const [source, setSource] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let gone = false
    loadGuide(name).then(
      (text) => gone || setSource(text),
      () => gone || setFailed(true),
    )
    return () => {
      gone = true
    }
  }, [name])
  if (failed) return <Failure error={{ message: 'This guide could not be loaded. Reload the page.' }} />
  return source === null ? <Skeleton lines={20} /> : <Guide name={name} source={source} />
}

function Guide({ name, source }: { name: string; source: string }) {
  const { session } = useSession()
  const publicUrl = session?.public_url ?? location.origin
  const blocks = useMemo(() => readMarkdown(addressed(source, publicUrl)), [publicUrl, source])
  const parts = blocks.filter((block): block is Heading => block.kind === 'heading' && block.level === 2)
  useTitle(GUIDES[name]?.title ?? name)
  useEffect(() => {
    // the section did not exist when the browser first resolved the fragment
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [name])
  return (
    <div className={css.page}>
      <Contents name={name} parts={parts} />
      <Markdown blocks={blocks} publicUrl={publicUrl} />
    </div>
  )
}

/** Lists the sections; marks the current one. */
function Contents({ name, parts }: { name: string; parts: readonly Heading[] }) {
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
    <nav className={css.contents} aria-label="Guides and sections">
      {GUIDE_PARTS.map(([part, guides]) => (
        <section key={part} className={css.guides}>
          <h2>{part}</h2>
          <ul>
            {guides.map((guide) => (
              <li key={guide}>
                <Link to={pathOf(guide)} aria-current={guide === name ? 'page' : undefined}>
                  {GUIDES[guide]!.title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
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
