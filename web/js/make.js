// Making elements.

/** An element with attributes and children; an attribute that is undefined is left out, a function is an event handler. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
