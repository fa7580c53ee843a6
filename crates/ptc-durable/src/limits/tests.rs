//! Limits: what each tenant gets, and when.

use proptest::prelude::*;

use super::object::LimiterState;
use super::*;

fn limits(texts: &[&str]) -> Limits {
    let mut limits = Limits::default();
    texts.iter().for_each(|text| limits.add(text).expect("a limit"));
    limits
}

#[test]
fn a_request_passes_the_limits_of_its_tenant_its_model_and_its_provider() {
    let limits = limits(&["openai=500", "openai:gpt-5=50,200_000", "tenant=60", "tenant:acme=120"]);
    assert_eq!(limits.of("openai:gpt-5", "acme"), ["tenant:acme", "openai:gpt-5", "openai"]);
    assert_eq!(limits.of("openai:gpt-4", ""), ["tenant:", "openai"]);
    assert_eq!(limits.of("ollama", "acme"), ["tenant:acme"]);
    assert_eq!(limits.rate("tenant:acme"), Some(Rate { requests: 120, tokens: None }));
    assert_eq!(limits.rate("tenant:other"), Some(Rate { requests: 60, tokens: None }));
    assert_eq!(limits.rate("openai:gpt-5"), Some(Rate { requests: 50, tokens: Some(200_000) }));
    assert_eq!(Limits::default().of("openai:gpt-5", "acme"), [""; 0]);
}

#[test]
fn what_is_not_a_limit_is_told_how_one_looks() {
    for text in ["openai", "=5", "openai=", "openai=0", "openai=many", "openai=5,0", "openai=5,6,7"] {
        let error = Limits::default().add(text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("'{text}' is not a limit; write NAME=REQUESTS")), "{error}");
    }
}

#[test]
fn tenants_take_turns_however_many_requests_one_has() {
    let mut limiter = LimiterState::default();
    for tenant in [["flood"; 1_000].as_slice(), &["small"; 3]].concat() {
        limiter.place(tenant);
    }
    let served: Vec<(String, u64)> = (0..8)
        .map(|_| {
            let next = limiter.next().expect("somebody waits");
            limiter.passed();
            next
        })
        .collect();
    let served: Vec<String> = served.into_iter().map(|(tenant, place)| format!("{tenant} {place}")).collect();
    assert_eq!(served, ["flood 0", "small 0", "flood 1", "small 1", "flood 2", "small 2", "flood 3", "flood 4"]);
}

proptest! {
    #[test]
    fn everybody_who_waits_is_served_once_in_the_order_of_their_tenant(
        asked in prop::collection::vec((0_u8..4, 0_usize..4), 1..80),
    ) {
        let (mut limiter, mut placed, mut served) = (LimiterState::default(), Vec::new(), Vec::new());
        for (tenant, serve) in asked {
            let tenant = tenant.to_string();
            placed.push((tenant.clone(), limiter.place(&tenant)));
            for _ in 0..serve {
                if let Some(next) = limiter.next() {
                    limiter.passed();
                    served.push(next);
                }
            }
        }
        while let Some(next) = limiter.next() {
            limiter.passed();
            served.push(next);
        }
        prop_assert_eq!(limiter.line.len(), 0);
        // A tenant that left the queue starts over.
        prop_assert_eq!(served.len(), placed.len());
        let of = |list: &[(String, u64)], tenant: &str| list.iter().filter(|(name, _)| name == tenant).map(|(_, place)| *place).collect::<Vec<_>>();
        for tenant in ["0", "1", "2", "3"] {
            prop_assert_eq!(of(&served, tenant), of(&placed, tenant));
        }
    }
}
