import { Copy } from '../../ui/copy.tsx'
import css from './account.module.css'

/** A line for a terminal or a program, with a way to copy it. */
export const Command = ({ text, label }: { text: string; label: string }) => (
  <div className={css.command}>
    <code>{text}</code>
    <Copy text={text} label={label} />
  </div>
)
