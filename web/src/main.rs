//! The page.

use yew::{Html, component, html};

#[component]
fn App() -> Html {
    html! { <main><h1>{ "fourgaps" }</h1></main> }
}

fn main() {
    yew::Renderer::<App>::new().render();
}
