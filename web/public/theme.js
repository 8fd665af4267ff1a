/** Sets the theme that this browser was told, before anything is painted; web/frame/theme.ts does the rest. */
{
  const theme = localStorage.getItem('countersign-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
