import type { ReactNode } from 'react'
import { Link } from '../../shell/router.tsx'
import { Copy } from '../../ui/copy.tsx'
import { ExternalLink } from '../../ui/links.tsx'
import { targetOf } from './addresses.ts'
import { guideOf } from './guides.ts'
import css from './markdown.module.css'
import { type Block, type Inline, type Line, plainText } from './markdown.ts'

/** Renders a document; React escapes all of its text. */
export const Markdown = ({ blocks, publicUrl }: { blocks: readonly Block[]; publicUrl: string }) => (
  <div className={css.text}>
    {blocks.map((block, at) => (
      <BlockView key={at} block={block} publicUrl={publicUrl} />
    ))}
  </div>
)

function BlockView({ block, publicUrl }: { block: Block; publicUrl: string }) {
  const show = (line: Line) => <LineView line={line} publicUrl={publicUrl} />
  if (block.kind === 'code') return <Code language={block.language} text={block.text} />
  if (block.kind === 'paragraph') return <p>{show(block.line)}</p>
  if (block.kind === 'heading') return <Heading block={block}>{show(block.line)}</Heading>
  if (block.kind === 'table') return <Table head={block.head} rows={block.rows} show={show} />
  const items = block.items.map((line, at) => <li key={at}>{show(line)}</li>)
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
}

function Heading({ block, children }: { block: Extract<Block, { kind: 'heading' }>; children: ReactNode }) {
  const { level, id, line } = block
  if (level === 1) return <h1 id={id}>{children}</h1>
  const anchor = (
    <a className={css.anchor} href={`#${id}`} aria-label={`Link to “${plainText(line)}”`}>
      #
    </a>
  )
  const Tag = level === 2 ? 'h2' : 'h3'
  return (
    <Tag id={id}>
      {children} {anchor}
    </Tag>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  text: 'Output',
}

/** Commands and programs can be copied; output cannot. */
function Code({ language, text }: { language: string; text: string }) {
  const name = NAMES[language] ?? language
  return (
    <figure className={css.code} data-language={language}>
      <figcaption>
        {name}
        {language !== 'text' && <Copy text={text} label={`Copy: ${name}`} />}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls wide code */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

interface TableProps {
  readonly head: readonly Line[]
  readonly rows: readonly (readonly Line[])[]
  show(line: Line): ReactNode
}

const Table = ({ head, rows, show }: TableProps) => (
  <div className={css.scroll}>
    <table>
      <thead>
        <tr>
          {head.map((line, at) => (
            <th key={at} scope="col">
              {show(line)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((line, column) => (
              <td key={column}>{show(line)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const LineView = ({ line, publicUrl }: { line: Line; publicUrl: string }) =>
  line.map((part, at) => <Part key={at} part={part} publicUrl={publicUrl} />)

function Part({ part, publicUrl }: { part: Inline; publicUrl: string }) {
  if (part.kind === 'text') return part.text
  if (part.kind === 'code') return <CodeWord text={part.text} />
  const inner = <LineView line={part.parts} publicUrl={publicUrl} />
  if (part.kind === 'strong') return <strong>{inner}</strong>
  const { kind, to } = targetOf(part.href, publicUrl)
  if (kind === 'page') return <Link to={to}>{inner}</Link>
  return kind === 'elsewhere' ? <ExternalLink href={to}>{inner}</ExternalLink> : <a href={to}>{inner}</a>
}

/** A file name of a document becomes a link to its page. */
function CodeWord({ text }: { text: string }) {
  const guide = guideOf(text)
  return guide === null ? <code>{text}</code> : <Link to={guide.path}>{guide.title}</Link>
}
