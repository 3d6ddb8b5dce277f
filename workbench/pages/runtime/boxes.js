// The elements of a file that its script writes into and reads.

export function box(id) { return document.getElementById(id); }

// Which of its values a control has; a setting without a control has one.
export function place_of(each) { return each === null ? 0 : each.tagName === "SELECT" ? each.selectedIndex : Number(each.value); }
