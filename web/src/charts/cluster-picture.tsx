import { type FocusEvent, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { Link } from '../shell/router.tsx'
import css from './cluster-picture.module.css'
import { type Circle, type Cluster, layoutClusters, type Member } from './clusters.ts'
import { useWidth } from './use-width.ts'

interface PictureLink {
  /** ids of two members of the group */
  readonly between: readonly [string, string]
  /** 0 to 1: how sure it is */
  readonly strength: number
}

export interface PictureGroup {
  readonly id: string
  readonly name: string
  /** a line below the name */
  readonly caption: string
  readonly look: 'strong' | 'plain' | 'faint'
  readonly members: readonly (Member & { readonly label: string; readonly to: string; readonly marked?: boolean })[]
  readonly links: readonly PictureLink[]
}

/** What is pointed at: a member, or the link between two. */
export interface Target {
  readonly group: string
  readonly members: readonly string[]
}

interface ClusterPictureProps {
  readonly label: string
  readonly groups: readonly PictureGroup[]
  readonly target: Target | null
  onTarget(target: Target | null): void
}

/** Groups as rings of circles with their links. One stop of the keyboard; arrows go from circle to circle. */
export function ClusterPicture({ label, groups, target, onTarget }: ClusterPictureProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const picture = useMemo(() => layoutClusters(groups, Math.max(width, 1)), [groups, width])
  const [stop, setStop] = useState<string | null>(null)
  const order = groups.flatMap(({ id, members }) => members.map((member) => `${id} ${member.id}`))
  const current = stop !== null && order.includes(stop) ? stop : order[0]

  const move = (event: KeyboardEvent<SVGSVGElement>): void => {
    const at = order.indexOf(current ?? '')
    const last = order.length - 1
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: last }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    const key = order[Math.min(last, Math.max(0, to))]
    const found = [...event.currentTarget.querySelectorAll<SVGAElement>('a')].find((a) => a.dataset.key === key)
    found?.focus()
  }

  return (
    <div ref={box} className={css.box}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: no other element groups links within a drawing
        <svg
          className={css.picture}
          role="group"
          aria-label={label}
          viewBox={`0 0 ${picture.width} ${picture.height}`}
          width={picture.width}
          height={picture.height}
          onKeyDown={move}
          onPointerLeave={(event) => event.pointerType === 'mouse' && onTarget(null)}
        >
          {picture.clusters.map((cluster) => {
            const group = groups.find(({ id }) => id === cluster.id)
            if (group === undefined) return null
            return (
              <Ring
                key={cluster.id}
                cluster={cluster}
                group={group}
                target={target?.group === group.id ? target : null}
                current={current}
                onTarget={onTarget}
                onStop={setStop}
              />
            )
          })}
        </svg>
      )}
    </div>
  )
}

interface RingProps {
  readonly cluster: Cluster
  readonly group: PictureGroup
  readonly target: Target | null
  readonly current: string | undefined
  onTarget(target: Target | null): void
  onStop(key: string): void
}

function Ring({ cluster, group, target, current, onTarget, onStop }: RingProps) {
  const circles = new Map(cluster.circles.map((circle) => [circle.id, circle]))
  const pointed = new Set(target?.members ?? [])
  const isLit = (between: readonly string[]): boolean =>
    target !== null &&
    (target.members.length === 1 ? between.some((id) => pointed.has(id)) : between.every((id) => pointed.has(id)))
  return (
    <g data-look={group.look} data-dimmed={target === null ? undefined : true} className={css.ring}>
      {group.links.map(({ between, strength }) => {
        const [a, b] = [circles.get(between[0]), circles.get(between[1])]
        if (a === undefined || b === undefined) return null
        return (
          <g
            key={`${between[0]} ${between[1]}`}
            onPointerEnter={() => onTarget({ group: group.id, members: between })}
            data-lit={isLit(between) || undefined}
            className={css.link}
          >
            <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} strokeWidth={0.75 + 1.5 * strength} />
            <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} className={css.reach} />
          </g>
        )
      })}
      {group.members.map((member) => {
        const circle = circles.get(member.id)
        const key = `${group.id} ${member.id}`
        return circle === undefined ? null : (
          <Dot
            key={key}
            circle={circle}
            member={member}
            tabIndex={key === current ? 0 : -1}
            dataKey={key}
            lit={pointed.has(member.id)}
            onPoint={() => onTarget({ group: group.id, members: [member.id] })}
            onStop={() => onStop(key)}
          />
        )
      })}
      <text className={css.name} x={cluster.x} y={cluster.foot + 20}>
        {group.name}
      </text>
      <text className={css.caption} x={cluster.x} y={cluster.foot + 36}>
        {group.caption}
      </text>
    </g>
  )
}

interface DotProps {
  readonly circle: Circle
  readonly member: PictureGroup['members'][number]
  readonly tabIndex: number
  readonly dataKey: string
  readonly lit: boolean
  onPoint(): void
  onStop(): void
}

function Dot({ circle, member, tabIndex, dataKey, lit, onPoint, onStop }: DotProps) {
  /** the first touch shows, the second follows the link */
  const touched = useRef(false)
  const wasLit = useRef(false)
  return (
    <Link
      to={member.to}
      aria-label={member.label}
      tabIndex={tabIndex}
      data-key={dataKey}
      data-lit={lit || undefined}
      data-sold={member.size <= 0 || undefined}
      className={css.dot}
      onPointerDown={({ pointerType }: PointerEvent) => {
        touched.current = pointerType === 'touch'
        wasLit.current = lit
      }}
      onPointerEnter={({ pointerType }: PointerEvent) => pointerType === 'mouse' && onPoint()}
      onFocus={(event: FocusEvent) => {
        onStop()
        if (event.currentTarget.matches(':focus-visible')) onPoint()
      }}
      onClick={(event) => {
        if (!touched.current || wasLit.current) return
        event.preventDefault()
        onPoint()
      }}
    >
      <circle className={css.reach} cx={circle.x} cy={circle.y} r={Math.max(circle.r, 12)} />
      <circle className={css.disc} cx={circle.x} cy={circle.y} r={circle.r} />
      {member.marked === true && <circle className={css.marked} cx={circle.x} cy={circle.y} r={circle.r + 3.5} />}
    </Link>
  )
}
