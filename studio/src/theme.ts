import {
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  localStorageColorSchemeManager,
  Menu,
  Modal,
  Popover,
  Tooltip,
} from '@mantine/core'

/** Under 150 ms everywhere; none where the viewer asks for none. */
const quick = { transitionProps: { duration: 100 } }

/** One family, six sizes, steps of four, radius six, one accent. */
export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '6px', xl: '6px' },
  defaultRadius: 'sm',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.75rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  shadows: {
    md: '0 0 0 1px rgb(0 0 0 / 0.06), 0 8px 24px rgb(0 0 0 / 0.12)',
    lg: '0 0 0 1px rgb(0 0 0 / 0.06), 0 12px 32px rgb(0 0 0 / 0.16)',
    xl: '0 0 0 1px rgb(0 0 0 / 0.06), 0 16px 48px rgb(0 0 0 / 0.2)',
  },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  respectReducedMotion: true,
  cursorType: 'pointer',
  colors: {
    accent: [
      '#eef0fd',
      '#dcdff8',
      '#b9bdf0',
      '#9aa0ea',
      '#8087e6',
      '#6a71e0',
      '#575edb',
      '#474ec3',
      '#3e45af',
      '#333a9b',
    ],
    gray: [
      '#f7f8f9',
      '#f0f1f3',
      '#e5e7ea',
      '#d7dade',
      '#c3c7cd',
      '#9da3ac',
      '#6b727c',
      '#4a5058',
      '#33383f',
      '#1d2024',
    ],
    dark: [
      '#dcdee2',
      '#b9bdc4',
      '#9ba0a9',
      '#6c717b',
      '#3b3e45',
      '#2d3036',
      '#232529',
      '#191b1e',
      '#141517',
      '#0f1012',
    ],
  },
  components: {
    Checkbox: Checkbox.extend({ defaultProps: { radius: 'xs' } }),
    Modal: Modal.extend({
      defaultProps: { ...quick, centered: true },
      styles: { title: { fontWeight: 600 } },
    }),
    Drawer: Drawer.extend({ defaultProps: quick, styles: { title: { fontWeight: 600 } } }),
    Menu: Menu.extend({ defaultProps: { ...quick, shadow: 'md' } }),
    Popover: Popover.extend({ defaultProps: { ...quick, shadow: 'md' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400, ...quick } }),
  },
})

/** Darker and lighter than the library's own where those fall short of contrast AA; the four meanings. */
export const variables: CSSVariablesResolver = () => ({
  variables: { '--rail': '13.5rem', '--row': '40px' },
  light: {
    '--mantine-color-text': '#1d2024',
    '--mantine-color-dimmed': '#5c636d',
    '--mantine-color-placeholder': '#6b727c',
    '--mantine-color-error': '#c22525',
    '--mantine-color-default-border': '#d7dade',
    '--line': '#e5e7ea',
    '--surface': '#f7f8f9',
    '--hover': '#f0f1f3',
    '--chosen': '#eef0fd',
    '--accent-text': '#3e45af',
    '--done': '#1c7c3c',
    '--waiting': '#9a5b00',
    '--danger': '#c22525',
    '--information': '#1563b3',
  },
  dark: {
    '--mantine-color-text': '#dcdee2',
    '--mantine-color-dimmed': '#9ba0a9',
    '--mantine-color-placeholder': '#8a909a',
    '--mantine-color-error': '#ff8a8a',
    '--line': '#2d3036',
    '--surface': '#141517',
    '--hover': '#232529',
    '--chosen': '#262a4a',
    '--accent-text': '#a9afff',
    '--done': '#5ed584',
    '--waiting': '#f0b45a',
    '--danger': '#ff8a8a',
    '--information': '#74b8ff',
  },
})

export const schemeManager = localStorageColorSchemeManager({ key: 'marquee.scheme' })
