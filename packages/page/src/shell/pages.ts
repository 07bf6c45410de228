import { type ComponentType, lazy } from 'react'
import type { PageName } from './routes.ts'

type Page = ComponentType<{ id: string }>

/** Each page is a chunk of its own, loaded when it is opened. */
const FOUND = import.meta.glob<{ default: Page }>('../pages/*/page.tsx')

const made = new Map<PageName, Page>()

const loader = (name: PageName) => FOUND[`../pages/${name}/page.tsx`]

/** The page, or what becomes it once it is loaded; null: there is none of this name. */
export function pageOf(name: PageName): Page | null {
  const load = loader(name)
  if (load === undefined) return null
  const page = made.get(name) ?? lazy(load)
  made.set(name, page)
  return page
}

/** Loads a page before it is shown. A page that is here then is shown without anything in its place before. */
export async function preload(name: PageName): Promise<void> {
  try {
    const loaded = await loader(name)?.()
    if (loaded !== undefined && !made.has(name)) made.set(name, loaded.default)
  } catch {
    // showing it tries again, and says so
  }
}
