import { useMemo } from 'react'
import { encode } from 'uqr'
import css from './pay.module.css'
import { qrPath } from './qr.ts'

/** quiet zone around the code, modules */
const QUIET = 4

/** A QR code, dark on white in both schemes, because cameras expect that. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: QUIET })
    return { size: code.size, path: qrPath(code.data) }
  }, [text])
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#10151c" />
    </svg>
  )
}
