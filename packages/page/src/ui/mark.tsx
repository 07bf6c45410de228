import { markOf } from './mark.ts'
import css from './ui.module.css'

/** A token's picture. Images from strangers' URLs are never loaded. */
export function TokenMark({ mint, size = 32 }: { mint: string; size?: number }) {
  const { tint, path } = markOf(mint)
  return (
    <svg className={css.mark} data-tint={tint} viewBox="0 0 7 7" width={size} height={size} aria-hidden="true">
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  )
}
