//! A program from its text to its value, phase by phase.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion};
use ptc_tests::bench::{WORKLOADS, echo, session};

/// Reading; analyzing what was read; and `check`, which is both and compiling.
pub fn phases(c: &mut Criterion) {
    for workload in WORKLOADS.iter().filter(|workload| workload.id.starts_with('W')) {
        let source = workload.program(workload.full);
        let session = session(workload.data(1), workload.tools());
        c.bench_function(&format!("read/{}", workload.id), |b| {
            b.iter(|| black_box(session.phases().read(source.as_str())).is_ok())
        });
        let program = session.phases().read(source.as_str()).unwrap();
        session.phases().analyze(&program).unwrap();
        c.bench_function(&format!("analyze/{}", workload.id), |b| {
            b.iter(|| session.phases().analyze(&program).is_ok())
        });
        c.bench_function(&format!("check/{}", workload.id), |b| b.iter(|| session.check(&source).is_ok()));
    }
}

/// Running what is compiled already: from the first step to the value.
pub fn runs(c: &mut Criterion) {
    let mut group = c.benchmark_group("run");
    group.sample_size(20);
    for workload in WORKLOADS {
        let (data, source) = (workload.data(workload.full), workload.program(workload.full));
        let started = || {
            let mut session = session(data.clone(), workload.tools());
            session.start(&source);
            session
        };
        group.bench_function(BenchmarkId::from_parameter(workload.id), |b| {
            b.iter_batched(
                started,
                |mut session| {
                    let outcome = crate::host::finish(&mut session, &mut echo);
                    (session, outcome)
                },
                BatchSize::PerIteration,
            );
        });
    }
}
