import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { OperatorError } from '../../base/errors.ts'
import type { Encoding } from './negotiate.ts'

/** One encoding of a file. */
export interface Form {
  readonly bytes: Buffer
  /** strong: of these bytes */
  readonly etag: string
}

export interface WebFile {
  readonly type: string
  readonly plain: Form
  readonly encoded: Readonly<Partial<Record<Encoding, Form>>>
}

/** Files by the path of their URL. */
export type WebFiles = ReadonlyMap<string, WebFile>

/** Those of LIMITS with the same names. */
export type FileBounds = Readonly<Record<'webFiles' | 'webFileBytes' | 'webBytes' | 'webCompressBytes', number>>

/** Where `npm run build` puts the page: the same distance from src and from dist. */
export const WEB_DIR = new URL('../../../dist/web', import.meta.url)

export const INDEX = '/index.html'

/** Nothing else is served; source maps are for who has the sources. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
/** compressed already */
const DENSE = new Set(['.png', '.woff2'])
/** served by others, whatever a build may contain */
const TAKEN = new Set(['/openapi.json', '/llms.txt'])

/**
 * Everything of a build, read and compressed once, so that no request touches the disk and no path leads out of it. Null
 * where there is no build; OperatorError where it passes the bounds.
 */
export async function readWebFiles(dir: string, bounds: FileBounds): Promise<WebFiles | null> {
  const files = new Map<string, WebFile>()
  let bytes = 0
  for (const entry of await entriesOf(dir)) {
    const path = join(entry.parentPath, entry.name)
    const url = `/${relative(dir, path).split(sep).join('/')}`
    const type = TYPES[extname(url)]
    if (!entry.isFile() || type === undefined || TAKEN.has(url)) continue
    const content = await readFile(path)
    bytes += content.length
    if (content.length > bounds.webFileBytes || bytes > bounds.webBytes || files.size >= bounds.webFiles) {
      throw new OperatorError(`${dir} is no build of the page: more files or larger ones than one has. Build it again`)
    }
    files.set(url, { type, plain: form(content), encoded: await encode(url, content, bounds) })
  }
  return files.has(INDEX) ? files : null
}

async function entriesOf(dir: string): Promise<Dirent[]> {
  try {
    return await readdir(dir, { recursive: true, withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

const form = (bytes: Buffer): Form => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
})

async function encode(url: string, content: Buffer, bounds: FileBounds): Promise<WebFile['encoded']> {
  if (DENSE.has(extname(url)) || content.length < bounds.webCompressBytes) return {}
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ])
  const isWorthIt = ({ length }: Buffer): boolean => length < content.length
  return { ...(isWorthIt(br) && { br: form(br) }), ...(isWorthIt(gz) && { gzip: form(gz) }) }
}
