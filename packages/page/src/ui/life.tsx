import type { AppLife } from '@ti/core/contract/app.ts'
import { useResource } from '../api/resource.ts'
import { NONE } from './format.ts'
import css from './life.module.css'
import { across, fateOf, heightAt, LIFE, lifeInWords, lineOf } from './life.ts'
import type { TokenColumn } from './table.tsx'

/** most tokens in one answer */
const LIVES = 50
/** milliseconds between two requests */
const REFRESH_MS = 30_000

/** Lives by mint; of the first tokens, if there are more. */
export function useLives(mints: readonly string[]): ReadonlyMap<string, AppLife> {
  const asked = mints.slice(0, LIVES).join(',')
  const lives = useResource<readonly AppLife[]>(asked === '' ? null : `/app/lives?mints=${asked}`, {
    everyMs: REFRESH_MS,
  })
  return new Map(lives.data?.map((life) => [life.mint, life]))
}

/** a minute and an hour */
const GRID_S = [60, 3_600]

/** The legend of the drawing, for the head of its column. */
export const LIFE_MEANS =
  'Market cap from the launch until now in the colour of the verdict. The lines are a minute and an hour after the launch; a triangle: graduated; a square: drained.'

/** The column that says how each token ended. */
export const fateColumn = (lives: ReadonlyMap<string, AppLife>): TokenColumn<{ readonly mint: string }> => ({
  label: 'What became of it',
  cell: ({ mint }) => {
    const life = lives.get(mint)
    return life === undefined ? NONE : fateOf(life)
  },
})

/** A launch's life in one small drawing. */
export function Life({ life }: { life: AppLife | undefined }) {
  if (life === undefined) return <span className={css.life} />
  const { colour, graduated_s: graduated, drained_s: drained } = life
  const line = lineOf(life)
  const at = (s: number): string => `translate(${across(s)} ${heightAt(line, across(s))})`
  const words = lifeInWords(life)
  return (
    <svg className={css.life} data-rating={colour} viewBox={`0 0 ${LIFE.width} ${LIFE.height}`} role="img">
      <title>{words}</title>
      {GRID_S.map((s) => (
        <path key={s} className={css.grid} d={`M${across(s)} 0V${LIFE.height}`} />
      ))}
      <path
        className={css.area}
        d={`M${across(0)} ${LIFE.height}L${line.join(' ')}L${across(life.age_s)} ${LIFE.height}z`}
      />
      <polyline className={css.line} points={line.join(' ')} />
      {graduated !== null && <path className={css.mark} transform={at(graduated)} d="M0-4 4 3h-8z" />}
      {drained !== null && <path className={css.mark} transform={at(drained)} d="M-3-3h6v6h-6z" />}
    </svg>
  )
}
