import { Mark } from '@tiptap/core'
import { type Editor, EditorContent, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef } from 'react'
import classes from './Inputs.module.css'
import type { InputProps } from './input.ts'
import { RichTools } from './RichTools.tsx'

/** What the service keeps of rich text besides the starter kit. */
const script = (name: 'sub' | 'sup') =>
  Mark.create({ name, parseHTML: () => [{ tag: name }], renderHTML: () => [name, 0] })

const extensions = [
  StarterKit.configure({
    heading: false,
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      HTMLAttributes: { target: null, rel: null },
    },
  }),
  script('sub'),
  script('sup'),
]

const nonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

/** Longer texts are not written out on every letter. */
const long = 20_000

const RichText = ({ value, onChange, name, disabled, error }: InputProps) => {
  const body = (value?.body as string | null) ?? ''
  const told = useRef(body)
  const change = useRef(onChange)
  change.current = onChange
  const timer = useRef<number>(undefined)
  const tell = (editor: Editor) => {
    clearTimeout(timer.current)
    timer.current = undefined
    const html = editor.isEmpty ? '' : editor.getHTML()
    if (html === told.current) return
    told.current = html
    change.current(html === '' ? null : { label: 'Text', body: html, format: null })
  }
  const editor = useEditor({
    extensions,
    content: body,
    editable: !disabled,
    injectNonce: nonce(),
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { 'aria-label': name, role: 'textbox', 'aria-multiline': 'true', dir: 'auto' },
    },
    onUpdate: ({ editor }) => {
      if (editor.state.doc.content.size < long) tell(editor)
      else timer.current ??= window.setTimeout(() => tell(editor), 400)
    },
    onBlur: ({ editor }) => {
      if (timer.current !== undefined) tell(editor)
    },
  })
  useEffect(() => {
    if (body === told.current) return
    told.current = body
    editor.commands.setContent(body, { emitUpdate: false })
  }, [body, editor])
  useEffect(() => editor.setEditable(!disabled, false), [disabled, editor])
  return (
    <div className={classes.rich} data-error={error || undefined}>
      {!disabled && <RichTools editor={editor} of={name} />}
      <EditorContent editor={editor} className={classes.prose} />
    </div>
  )
}

export default RichText
