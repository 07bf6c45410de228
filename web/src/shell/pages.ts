import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { PageName } from './routes.ts'

type Page = ComponentType<{ id: string }>

/** Each page is a chunk of its own, loaded when it is opened. */
const FOUND = import.meta.glob<{ default: Page }>('../pages/*/page.tsx')

const made = new Map<PageName, LazyExoticComponent<Page>>()

const loader = (name: PageName) => FOUND[`../pages/${name}/page.tsx`]

export function pageOf(name: PageName): LazyExoticComponent<Page> | null {
  const load = loader(name)
  if (load === undefined) return null
  const page = made.get(name) ?? lazy(load)
  made.set(name, page)
  return page
}

/** Starts to load a page before it is shown. */
export const preload = (name: PageName): void => void loader(name)?.().catch(() => {})
